#include "textflag.h"

// func counter() uint64
TEXT ·counter(SB), NOSPLIT, $0-8
	MRS	CNTVCT_EL0, R0
	MOVD	R0, ret+0(FP)
	RET

// func frames() (gp, hi, fp uintptr)
//
// A goroutine's structure begins with the bounds of its stack, lo and hi.
TEXT ·frames(SB), NOSPLIT, $0-24
	MOVD	g, gp+0(FP)
	MOVD	8(g), R1
	MOVD	R1, hi+8(FP)
	MOVD	R29, fp+16(FP)
	RET
