/** The export or import of an installation failed. The message is for the operator and has no final period. */
export class TransferError extends Error {
  override readonly name = "TransferError";
}
