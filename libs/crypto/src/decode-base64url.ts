/** Strict base64url without padding: undefined unless `text` is the one spelling of its bytes. */
export function decodeBase64url(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, "base64url");
  return bytes.toString("base64url") === text ? bytes : undefined;
}
