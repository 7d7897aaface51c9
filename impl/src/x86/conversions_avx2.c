/*
 * conversions_avx2.c: conversion between formats in vectors of 256 bits.
 */
#include "vector_256.h"

#include "conversions.h"
