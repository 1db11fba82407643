import { ApiError } from "@latchkey/ui/api/api-error.ts";
import { createRoot } from "react-dom/client";
import { CaptchaDialog } from "./captcha-dialog.tsx";
import { createTurns } from "./create-turns.ts";
import type { CaptchaFacts } from "./captcha-facts.ts";

/** The refusal that the server would give. */
const missing = () => new ApiError({ status: 400, body: { code: "MISSING_CAPTCHA_RESPONSE" } });

const show = async (captcha: CaptchaFacts): Promise<string> => {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const container = document.createElement("div");
  document.body.append(container);
  const root = createRoot(container);
  root.render(<CaptchaDialog captcha={captcha} onSettled={resolve} />);
  const response = await promise;
  root.unmount();
  container.remove();
  if (response === undefined) throw missing();
  return response;
};

const inTurn = createTurns();

/**
 * Asks the user for the response to a captcha. Throws if the user gives up. Each call needs its own response, because a provider accepts it
 * once.
 */
export const askForCaptcha = (captcha: CaptchaFacts): Promise<string> =>
  inTurn(() => show(captcha));
