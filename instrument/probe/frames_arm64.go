package probe

// framePointerAbove says that a frame's variables lie below the word that its
// frame pointer points to. Here they lie above.
const framePointerAbove = false
