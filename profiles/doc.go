// Package profiles compares two CPU profiles of a real program: which functions take a
// larger share of its time than before.
//
// It promises that a function is listed only where its share grew by more than sampling
// explains: shares come with intervals from the numbers of samples, and the error is
// divided among all functions that are looked at. Shares are of the samples that are
// looked at, so that load and length of the recordings don't matter.
//
// A profile only orders what is to be measured; it accuses nobody. A share grows too where
// something else got faster, or other requests came.
package profiles
