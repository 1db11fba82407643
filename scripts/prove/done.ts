import type { Answer } from "./http/connections.ts";
import { NotProven } from "./not-proven.ts";

/** What an answer says, in few words. */
export const describeAnswer = ({ status, body, text }: Answer): string => {
  const { code } = (typeof body === "object" && body !== null ? body : {}) as { code?: unknown };
  if (status === 0) return `no answer (${text})`;
  return typeof code === "string" ? `${status} ${code}` : String(status);
};

/**
 * What an operation that has to succeed replies. Throws `NotProven` where the deployment does not offer it, and an error where it
 * fails. `what` is what it was asked for.
 */
export const done = async <Body>(asked: Promise<Answer<Body>>, what: string): Promise<Body> => {
  const answer = await asked;
  if (answer.status === 200) return answer.body;
  const said = describeAnswer(answer);
  if (answer.status >= 400 && answer.status < 500)
    throw new NotProven(`${what}, which was refused: ${said}`);
  throw new Error(`${what} failed: ${said}`);
};
