// Package flock locks files between the processes of a machine. It promises that the
// kernel gives a lock up with the file, however the process ends.
package flock
