/** What a check cannot say with what it was given; the message goes on after "needs". */
export class NotProven extends Error {
  override readonly name = "NotProven";
}
