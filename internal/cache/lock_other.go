//go:build !unix

package cache

import "os"

func openLock(name string) (*os.File, error) { return os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600) }

// alone reports that others may use the cache: there is no portable lock.
func alone(*os.File) bool { return false }

func share(*os.File) {}
