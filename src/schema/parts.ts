/** An answer whose list may be too long to be held as a whole: it is read part by part, as fast as it is taken. */
export interface ReadInParts {
  /** The records of its list. Between two parts nothing is held: no connection, no lock. */
  parts(): AsyncGenerator<object[]>;
  /** What a file of it is called, without its ending. */
  fileName: string;
}
