const shownDigits = 4;

/**
 * Returns a phone number for logs: the beginning and the last digits, such as `+49******4567`. It tells operators numbers apart, and nobody
 * can call it.
 */
export const maskPhoneNumber = (phoneNumber: string): string => {
  const shownStart = phoneNumber.slice(0, 3);
  const end = phoneNumber.slice(Math.max(3, phoneNumber.length - shownDigits));
  return shownStart + "*".repeat(Math.max(0, phoneNumber.length - 3 - end.length)) + end;
};
