package record

// The program that it is copied into calls it.
var _ = pinpointRecord
