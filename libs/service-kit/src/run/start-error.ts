/** A start cannot succeed. The message tells the operator what is wrong and which variable or command helps. */
export class StartError extends Error {
  override readonly name = "StartError";
}
