/** A missing requirement of a check. The message continues the word "needs". */
export class NotProven extends Error {
  override readonly name = "NotProven";
}
