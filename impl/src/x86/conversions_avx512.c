/*
 * conversions_avx512.c: conversion between formats in vectors of 512 bits.
 */
#include "vector_512.h"

#include "conversions.h"
