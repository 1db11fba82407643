import { useSyncExternalStore } from "react";
import { Button } from "@latchkey/ui/components/button.tsx";
import { reloadPage } from "@latchkey/ui/components/is-load-failure.ts";
import { loadFailures } from "@latchkey/ui/components/load-failures.ts";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { loadFailureText } from "./load-failure-text.ts";

/** Says that code of the page is missing, such as that of menus and notices. The screen stays usable. */
export const LoadFailureNotice = () => {
  const hasFailures = useSyncExternalStore(loadFailures.subscribe, loadFailures.exist);
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-4 z-30 flex justify-center px-4"
    >
      {hasFailures && (
        <div className="pointer-events-auto shadow-md">
          <Notice tone="warning">
            <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
              <p>
                <span className="font-medium">{loadFailureText.title}</span>{" "}
                {loadFailureText.advice}
              </p>
              <Button size="small" onClick={() => void reloadPage()}>
                {loadFailureText.action}
              </Button>
            </div>
          </Notice>
        </div>
      )}
    </div>
  );
};
