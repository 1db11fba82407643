import { partsOfAgent } from "@latchkey/ui/describe-agent.ts";
import { useTranslation } from "../../languages.ts";

/** Returns a function that describes a user agent well enough to recognise the device. */
export const useDeviceName = (): ((agent: string) => string) => {
  const t = useTranslation("sessions");
  return (agent) => {
    const { browser, system } = partsOfAgent(agent);
    if (browser && system) return t("device", { browser, system });
    return browser ?? system ?? (agent || t("unknownDevice"));
  };
};
