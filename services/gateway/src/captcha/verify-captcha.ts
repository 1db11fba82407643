import { WireError } from "@latchkey/contracts";
import type { Pool } from "undici";
import {
  type CaptchaConfig,
  captchaRequest,
  type CaptchaResponse,
  captchaUrl,
} from "./captcha-request.ts";
import { type CaptchaVerdict, captchaVerdict } from "./captcha-verdict.ts";

/** When clients should retry after a failure of the provider. */
const retryAfterSeconds = 5;

interface Needs {
  captcha: CaptchaConfig;
  /** Connections to the provider, which limit the size of its responses. */
  pool: Pool;
  /** For everything: waiting for a connection, the request and the whole response. */
  deadlineMilliseconds: number;
}

/** The parser's own error quotes the text, in which a provider may echo secrets of the request. */
const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("the captcha provider does not answer in JSON");
  }
};

const requestVerdict = async (needs: Needs, response: CaptchaResponse): Promise<CaptchaVerdict> => {
  const { captcha, pool, deadlineMilliseconds } = needs;
  const { pathname, search } = captchaUrl(captcha);
  const { contentType, body } = captchaRequest(captcha, response);
  const answer = await pool.request({
    method: "POST",
    path: pathname + search,
    headers: { "content-type": contentType, accept: "application/json" },
    body,
    signal: AbortSignal.timeout(deadlineMilliseconds),
  });
  const text = await answer.body.text();
  if (answer.statusCode < 200 || answer.statusCode > 299)
    throw new Error(`the captcha provider answers ${answer.statusCode}`);
  return captchaVerdict(captcha, parse(text));
};

/** Calls the provider to verify a captcha. Throws `SOMETHING_WENT_WRONG` (503) if the provider fails. */
export const verifyCaptcha = async (
  needs: Needs,
  response: CaptchaResponse,
): Promise<CaptchaVerdict> => {
  try {
    return await requestVerdict(needs, response);
  } catch (error) {
    throw new WireError("SOMETHING_WENT_WRONG", { cause: error, retryAfterSeconds });
  }
};
