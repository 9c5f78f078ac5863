/** A response with a long list, which is read and sent part by part. */
export interface StreamedResult {
  /** Batches of the list. No connection or lock is held between two of them. */
  parts(): AsyncGenerator<object[]>;
  /** The name of its file, without extension. */
  fileName: string;
}
