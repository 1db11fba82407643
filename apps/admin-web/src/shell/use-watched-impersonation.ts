import { useEffect, useRef } from "react";
import { type Impersonation, useImpersonation } from "../access/impersonation.ts";
import { toasts } from "@latchkey/ui/components/toasts.ts";
import { t } from "../texts.ts";

/** Returns the impersonation that lasts in this browser. Reports its end, also if its hour is over or another tab has ended it. */
export const useWatchedImpersonation = (): Impersonation | undefined => {
  const impersonation = useImpersonation();
  const was = useRef(impersonation);
  useEffect(() => {
    if (was.current && !impersonation)
      toasts.add({ title: t("shell.impersonation.ended"), type: "success" });
    was.current = impersonation;
  }, [impersonation]);
  return impersonation;
};
