/* What this file is compiled for, and with what, as texts made of the compiler's own macros: part
 * of lb_kit.c. Each can be given on the command line instead: -DLB_KIT_TARGET='"XY core"'. */
#ifndef LB_KIT_ABOUT_H
#define LB_KIT_ABOUT_H

#define LB_KIT_QUOTE_(text) #text
#define LB_KIT_QUOTE(text)  LB_KIT_QUOTE_(text)

/* ---- The target: processor, byte order, system ---- */

#if defined(__x86_64__) || defined(_M_X64)
#define LB_KIT_PROCESSOR "x86-64"
#elif defined(__i386__) || defined(_M_IX86)
#define LB_KIT_PROCESSOR "x86"
#elif defined(__aarch64__) || defined(_M_ARM64)
#define LB_KIT_PROCESSOR "aarch64"
#elif defined(__arm__) && defined(__ARM_ARCH_PROFILE)
#if __ARM_ARCH_PROFILE == 'M'
#define LB_KIT_PROCESSOR "arm v" LB_KIT_QUOTE(__ARM_ARCH) "-M"
#else
#define LB_KIT_PROCESSOR "arm v" LB_KIT_QUOTE(__ARM_ARCH)
#endif
#elif defined(__arm__) || defined(__ICCARM__) || defined(_M_ARM)
#define LB_KIT_PROCESSOR "arm"
#elif defined(__riscv)
#define LB_KIT_PROCESSOR "riscv" LB_KIT_QUOTE(__riscv_xlen)
#elif defined(__arc__) || defined(_ARC)
#define LB_KIT_PROCESSOR "arc"
#elif defined(__XTENSA__)
#define LB_KIT_PROCESSOR "xtensa"
#elif defined(__hexagon__)
#define LB_KIT_PROCESSOR "hexagon"
#elif defined(__TMS320C6X__)
#define LB_KIT_PROCESSOR "c6000"
#elif defined(__powerpc64__)
#define LB_KIT_PROCESSOR "powerpc64"
#elif defined(__powerpc__)
#define LB_KIT_PROCESSOR "powerpc"
#elif defined(__s390x__)
#define LB_KIT_PROCESSOR "s390x"
#elif defined(__mips__)
#define LB_KIT_PROCESSOR "mips"
#elif defined(__wasm__)
#define LB_KIT_PROCESSOR "wasm"
#else
#define LB_KIT_PROCESSOR "unknown processor"
#endif

#if defined(__BYTE_ORDER__) && defined(__ORDER_BIG_ENDIAN__)
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define LB_KIT_BYTE_ORDER ", big-endian"
#endif
#endif
#ifndef LB_KIT_BYTE_ORDER
#define LB_KIT_BYTE_ORDER ""
#endif

#if defined(__ANDROID__)
#define LB_KIT_SYSTEM ", Android"
#elif defined(__linux__)
#define LB_KIT_SYSTEM ", Linux"
#elif defined(__APPLE__)
#define LB_KIT_SYSTEM ", Darwin"
#elif defined(_WIN32)
#define LB_KIT_SYSTEM ", Windows"
#elif defined(__FreeBSD__)
#define LB_KIT_SYSTEM ", FreeBSD"
#elif defined(__EMSCRIPTEN__)
#define LB_KIT_SYSTEM ", Emscripten"
#elif defined(__unix__)
#define LB_KIT_SYSTEM ", Unix"
#else
#define LB_KIT_SYSTEM ", no system known"
#endif

#ifndef LB_KIT_TARGET
#define LB_KIT_TARGET LB_KIT_PROCESSOR LB_KIT_BYTE_ORDER LB_KIT_SYSTEM
#endif

/* ---- The compiler and its version ---- */

#ifndef LB_KIT_COMPILER
#if defined(__CCAC__)
#define LB_KIT_COMPILER "ccac " __VERSION__
#elif defined(__ARMCC_VERSION)
#define LB_KIT_COMPILER "armclang " LB_KIT_QUOTE(__ARMCC_VERSION)
#elif defined(__ICCARM__)
#define LB_KIT_COMPILER "iccarm " LB_KIT_QUOTE(__VER__)
#elif defined(__TI_COMPILER_VERSION__)
#define LB_KIT_COMPILER "TI " LB_KIT_QUOTE(__TI_COMPILER_VERSION__)
#elif defined(__clang__)
#define LB_KIT_COMPILER "clang " __clang_version__
#elif defined(__GNUC__)
#define LB_KIT_COMPILER "gcc " __VERSION__
#elif defined(_MSC_VER)
#define LB_KIT_COMPILER "msvc " LB_KIT_QUOTE(_MSC_FULL_VER)
#else
#define LB_KIT_COMPILER "unknown compiler"
#endif
#endif

/* ---- The options that the compiler tells of ---- */

#if defined(__OPTIMIZE_SIZE__)
#define LB_KIT_O_LEVEL "optimised for size"
#elif defined(__OPTIMIZE__)
#define LB_KIT_O_LEVEL "optimised"
#elif defined(__GNUC__)
#define LB_KIT_O_LEVEL "not optimised"
#else
#define LB_KIT_O_LEVEL "level of optimisation unknown"
#endif

#ifdef NDEBUG
#define LB_KIT_O_ASSERTS ", NDEBUG"
#else
#define LB_KIT_O_ASSERTS ""
#endif

#if defined(__FAST_MATH__)
#define LB_KIT_O_MATH ", fast math"
#else
#define LB_KIT_O_MATH ""
#endif

#if defined(__AVX512BW__)
#define LB_KIT_O_VECTOR ", AVX-512BW"
#elif defined(__AVX2__)
#define LB_KIT_O_VECTOR ", AVX2"
#elif defined(__SSE4_1__)
#define LB_KIT_O_VECTOR ", SSE4.1"
#elif defined(__ARM_FEATURE_SVE)
#define LB_KIT_O_VECTOR ", SVE"
#elif defined(__ARM_FEATURE_MVE)
#define LB_KIT_O_VECTOR ", MVE"
#elif defined(__ARM_NEON)
#define LB_KIT_O_VECTOR ", NEON"
#elif defined(__ARM_FEATURE_DSP)
#define LB_KIT_O_VECTOR ", DSP"
#elif defined(__riscv_vector)
#define LB_KIT_O_VECTOR ", V"
#else
#define LB_KIT_O_VECTOR ""
#endif

#if defined(__SANITIZE_ADDRESS__)
#define LB_KIT_O_WATCHED ", AddressSanitizer"
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LB_KIT_O_WATCHED ", AddressSanitizer"
#endif
#endif
#ifndef LB_KIT_O_WATCHED
#define LB_KIT_O_WATCHED ""
#endif

#ifndef LB_KIT_OPTIONS
#define LB_KIT_OPTIONS                                                                             \
    LB_KIT_O_LEVEL LB_KIT_O_ASSERTS LB_KIT_O_MATH LB_KIT_O_VECTOR LB_KIT_O_WATCHED
#endif

#endif
