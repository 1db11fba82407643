import type { ErrorBody } from "@latchkey/contracts";

type Issue = NonNullable<ErrorBody["issues"]>[number];

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

const isIssue = (value: unknown): value is Issue =>
  isObject(value) && typeof value["path"] === "string" && typeof value["message"] === "string";

/** Whether details name the proof that a session lacks. Other details are not used here. */
const isRequirement = (value: unknown): value is { requires: "sign-in" | "second-factor" } =>
  isObject(value) && (value["requires"] === "sign-in" || value["requires"] === "second-factor");

/** Returns the members of an error body that have Latchkey's format. A proxy in front of it may reply with another one. */
export const errorBodyOf = (answer: unknown): Partial<ErrorBody> => {
  if (!isObject(answer)) return {};
  const { code, message, issues, details } = answer;
  return {
    ...(typeof code === "string" && { code }),
    ...(typeof message === "string" && { message }),
    ...(Array.isArray(issues) && issues.every(isIssue) && { issues }),
    ...(isRequirement(details) && { details }),
  };
};
