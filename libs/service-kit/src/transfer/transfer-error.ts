/** Why an installation is not carried; the message is for its operator, and ends no sentence. */
export class TransferError extends Error {
  override readonly name = "TransferError";
}
