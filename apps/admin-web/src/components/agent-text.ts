import { partsOfAgent } from "@latchkey/ui/describe-agent.ts";
import { t } from "../texts.ts";

/** Describes a user agent well enough to recognise it: "Firefox on Linux". */
export const agentText = (agent: string): string => {
  if (agent === "") return t("sessions.unknownDevice");
  const { browser, system } = partsOfAgent(agent);
  if (browser && system) return t("sessions.browserOn", { browser, system });
  return browser ?? system ?? agent;
};
