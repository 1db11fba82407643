/** Decodes strict base64url without padding. Returns undefined unless `text` is the canonical encoding of its bytes. */
export function decodeBase64url(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, "base64url");
  return bytes.toString("base64url") === text ? bytes : undefined;
}
