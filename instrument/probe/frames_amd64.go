package probe

// framePointerAbove says that a frame's variables lie below the word that its
// frame pointer points to.
const framePointerAbove = true
