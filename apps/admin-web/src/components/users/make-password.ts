/** Letters and digits that cannot be taken for each other. */
const alphabet = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789";
const length = 20;

/** A password that nobody guesses: 116 bits. */
export const makePassword = (): string => {
  let made = "";
  while (made.length < length) {
    const [byte = 255] = crypto.getRandomValues(new Uint8Array(1));
    // 228 is the greatest multiple of the alphabet's 57 below 256: each character is as likely as any other.
    if (byte < 228) made += alphabet[byte % alphabet.length];
  }
  return made;
};
