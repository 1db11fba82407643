import type { Answer } from "./http/connections.ts";
import { NotProven } from "./not-proven.ts";

/** Summarizes a reply. */
export const describeAnswer = ({ status, body, text }: Answer): string => {
  const { code } = (typeof body === "object" && body !== null ? body : {}) as { code?: unknown };
  if (status === 0) return `no answer (${text})`;
  return typeof code === "string" ? `${status} ${code}` : String(status);
};

/**
 * Returns the reply of an operation that must succeed. Throws `NotProven` if the deployment does not offer it, and an error if it fails.
 * `what` names the purpose.
 */
export const done = async <Body>(asked: Promise<Answer<Body>>, what: string): Promise<Body> => {
  const answer = await asked;
  if (answer.status === 200) return answer.body;
  const said = describeAnswer(answer);
  if (answer.status >= 400 && answer.status < 500)
    throw new NotProven(`${what}, which was refused: ${said}`);
  throw new Error(`${what} failed: ${said}`);
};
