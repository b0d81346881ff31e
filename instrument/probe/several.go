package probe

// Calls with several results can only be wrapped by a function that takes just
// them, and type parameters can't be inferred for one that is made before. So
// package instrument writes the types of the results:
//
//	f(Stop2[int, error](Begin(&t[0], 17)).Do(g(x)))

// After returns v. Its other argument is an EndTrue, which ends a probe before
// the evaluation of v where the syntax has no room for a statement.
//
//go:norace
func After[T any](_ bool, v T) T { return v }

// Stopper2 is Stop for 2 results.
type Stopper2[A, B any] struct{ t Token }

//go:norace
func Stop2[A, B any](t Token) Stopper2[A, B] { return Stopper2[A, B]{t} }

// Do returns its arguments.
//
//go:norace
func (s Stopper2[A, B]) Do(a A, b B) (A, B) {
	Stop(s.t, struct{}{})
	return a, b
}

// Restarter2 is Restart for 2 results.
type Restarter2[A, B any] struct{ m *Mark }

//go:norace
func Restart2[A, B any](m *Mark) Restarter2[A, B] { return Restarter2[A, B]{m} }

// Do returns its arguments.
//
//go:norace
func (r Restarter2[A, B]) Do(a A, b B) (A, B) {
	Restart(r.m, struct{}{})
	return a, b
}

// Stopper3 is Stop for 3 results.
type Stopper3[A, B, C any] struct{ t Token }

//go:norace
func Stop3[A, B, C any](t Token) Stopper3[A, B, C] { return Stopper3[A, B, C]{t} }

// Do returns its arguments.
//
//go:norace
func (s Stopper3[A, B, C]) Do(a A, b B, c C) (A, B, C) {
	Stop(s.t, struct{}{})
	return a, b, c
}

// Restarter3 is Restart for 3 results.
type Restarter3[A, B, C any] struct{ m *Mark }

//go:norace
func Restart3[A, B, C any](m *Mark) Restarter3[A, B, C] { return Restarter3[A, B, C]{m} }

// Do returns its arguments.
//
//go:norace
func (r Restarter3[A, B, C]) Do(a A, b B, c C) (A, B, C) {
	Restart(r.m, struct{}{})
	return a, b, c
}

// Stopper4 is Stop for 4 results.
type Stopper4[A, B, C, D any] struct{ t Token }

//go:norace
func Stop4[A, B, C, D any](t Token) Stopper4[A, B, C, D] { return Stopper4[A, B, C, D]{t} }

// Do returns its arguments.
//
//go:norace
func (s Stopper4[A, B, C, D]) Do(a A, b B, c C, d D) (A, B, C, D) {
	Stop(s.t, struct{}{})
	return a, b, c, d
}

// Restarter4 is Restart for 4 results.
type Restarter4[A, B, C, D any] struct{ m *Mark }

//go:norace
func Restart4[A, B, C, D any](m *Mark) Restarter4[A, B, C, D] { return Restarter4[A, B, C, D]{m} }

// Do returns its arguments.
//
//go:norace
func (r Restarter4[A, B, C, D]) Do(a A, b B, c C, d D) (A, B, C, D) {
	Restart(r.m, struct{}{})
	return a, b, c, d
}

// Stopper5 is Stop for 5 results.
type Stopper5[A, B, C, D, E any] struct{ t Token }

//go:norace
func Stop5[A, B, C, D, E any](t Token) Stopper5[A, B, C, D, E] { return Stopper5[A, B, C, D, E]{t} }

// Do returns its arguments.
//
//go:norace
func (s Stopper5[A, B, C, D, E]) Do(a A, b B, c C, d D, e E) (A, B, C, D, E) {
	Stop(s.t, struct{}{})
	return a, b, c, d, e
}

// Restarter5 is Restart for 5 results.
type Restarter5[A, B, C, D, E any] struct{ m *Mark }

//go:norace
func Restart5[A, B, C, D, E any](m *Mark) Restarter5[A, B, C, D, E] {
	return Restarter5[A, B, C, D, E]{m}
}

// Do returns its arguments.
//
//go:norace
func (r Restarter5[A, B, C, D, E]) Do(a A, b B, c C, d D, e E) (A, B, C, D, E) {
	Restart(r.m, struct{}{})
	return a, b, c, d, e
}

// Stopper6 is Stop for 6 results.
type Stopper6[A, B, C, D, E, F any] struct{ t Token }

//go:norace
func Stop6[A, B, C, D, E, F any](t Token) Stopper6[A, B, C, D, E, F] {
	return Stopper6[A, B, C, D, E, F]{t}
}

// Do returns its arguments.
//
//go:norace
func (s Stopper6[A, B, C, D, E, F]) Do(a A, b B, c C, d D, e E, f F) (A, B, C, D, E, F) {
	Stop(s.t, struct{}{})
	return a, b, c, d, e, f
}

// Restarter6 is Restart for 6 results.
type Restarter6[A, B, C, D, E, F any] struct{ m *Mark }

//go:norace
func Restart6[A, B, C, D, E, F any](m *Mark) Restarter6[A, B, C, D, E, F] {
	return Restarter6[A, B, C, D, E, F]{m}
}

// Do returns its arguments.
//
//go:norace
func (r Restarter6[A, B, C, D, E, F]) Do(a A, b B, c C, d D, e E, f F) (A, B, C, D, E, F) {
	Restart(r.m, struct{}{})
	return a, b, c, d, e, f
}
