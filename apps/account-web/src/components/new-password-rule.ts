import { facts } from "../facts.ts";

const limits = facts.password ?? { lengthMin: 1, lengthMax: 1024 };

/** The minimum length of a new password, for its hint. */
export const passwordLengthMin = limits.lengthMin;

/** Returns what is wrong with a new password. Undefined if nothing is. */
export const passwordFault = (password: string): "tooShort" | "tooLong" | undefined => {
  if (password.length < limits.lengthMin) return "tooShort";
  return password.length > limits.lengthMax ? "tooLong" : undefined;
};
