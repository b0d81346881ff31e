#include "textflag.h"

// func counter() uint64
TEXT ·counter(SB), NOSPLIT, $0-8
	RDTSC
	SHLQ	$32, DX
	ORQ	DX, AX
	MOVQ	AX, ret+0(FP)
	RET

// func frames() (gp, hi, fp uintptr)
//
// A goroutine's structure begins with the bounds of its stack, lo and hi.
TEXT ·frames(SB), NOSPLIT, $0-24
	MOVQ	(TLS), AX
	MOVQ	AX, gp+0(FP)
	MOVQ	8(AX), CX
	MOVQ	CX, hi+8(FP)
	MOVQ	BP, fp+16(FP)
	RET
