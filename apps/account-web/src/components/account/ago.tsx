import { eachTick } from "@latchkey/ui/components/each-tick.ts";
import { relativeText } from "@latchkey/ui/components/relative-text.ts";
import { useSyncExternalStore } from "react";
import { shownLanguage } from "../../languages.ts";
import { momentText } from "./moment.tsx";

/** Shows a past time relative to now, in the language that is shown. A pointer shows the time itself. */
export const Ago = ({ at }: { at: string }) => {
  const language = shownLanguage();
  const text = useSyncExternalStore(eachTick, () =>
    relativeText(new Date(at), new Date(), { language }),
  );
  return (
    <time dateTime={at} title={momentText(at)}>
      {text}
    </time>
  );
};
