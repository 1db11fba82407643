const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const bitsPerCharacter = 5;
const bitsPerByte = 8;

/** Returns the base32 of bytes (RFC 4648, section 6) without padding. */
export function encodeBase32(bytes: Uint8Array): string {
  let text = "";
  let pendingBits = 0;
  let heldBits = 0;
  for (const byte of bytes) {
    pendingBits = (pendingBits << bitsPerByte) | byte;
    heldBits += bitsPerByte;
    while (heldBits >= bitsPerCharacter) {
      heldBits -= bitsPerCharacter;
      text += alphabet.charAt((pendingBits >>> heldBits) & 31);
    }
    pendingBits &= (1 << heldBits) - 1;
  }
  return heldBits === 0
    ? text
    : text + alphabet.charAt((pendingBits << (bitsPerCharacter - heldBits)) & 31);
}

/** Returns the bytes of a base32 text, in any case and with or without padding. Returns undefined for any other text. */
export function decodeBase32(text: string): Buffer | undefined {
  const bytes: number[] = [];
  let pendingBits = 0;
  let heldBits = 0;
  for (const character of text.replace(/=+$/, "").toUpperCase()) {
    const value = alphabet.indexOf(character);
    if (value === -1) return undefined;
    pendingBits = (pendingBits << bitsPerCharacter) | value;
    heldBits += bitsPerCharacter;
    if (heldBits >= bitsPerByte) {
      heldBits -= bitsPerByte;
      bytes.push((pendingBits >>> heldBits) & 255);
    }
    pendingBits &= (1 << heldBits) - 1;
  }
  return Buffer.from(bytes);
}
