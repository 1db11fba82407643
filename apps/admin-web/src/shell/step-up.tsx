import { useLocation } from "@tanstack/react-router";
import { type SubmitEvent, useEffect, useSyncExternalStore } from "react";
import { onProof, stepUpRequest } from "@latchkey/ui/api/step-up.ts";
import { DialogButtons } from "@latchkey/ui/components/dialog-buttons.tsx";
import { lazyDialog } from "@latchkey/ui/components/lazy-dialog.tsx";
import { accountAddress, returnAddress } from "../access/account-web.ts";
import { t } from "../texts.ts";

const Dialog = lazyDialog(async () => (await import("@latchkey/ui/components/dialog.tsx")).Dialog);

/** Lets the admin give the proof that a refused operation requires, in a window of the account web. The operation is then repeated. */
export const StepUp = () => {
  const request = useSyncExternalStore(stepUpRequest.subscribe, stepUpRequest.read);
  const { href } = useLocation();
  useEffect(() => request && onProof(() => request.settle(true)), [request]);
  if (!request) return null;
  const { requires, settle } = request;
  const open = (event: SubmitEvent) => {
    event.preventDefault();
    const search = { session: "own", requires };
    const page = accountAddress("/confirm", search);
    if (window.open(page, "latchkey-confirm", "popup,width=480,height=720")) return;
    // The browser allows no window, so the page takes the place of this one.
    const redirect_to = returnAddress(href);
    window.location.assign(accountAddress("/confirm", { ...search, redirect_to }));
  };
  return (
    <Dialog
      title={t("shell.stepUp.title")}
      description={t("shell.stepUp.text")}
      isOpen
      onOpenChange={(isOpen) => !isOpen && settle(false)}
    >
      <form onSubmit={open}>
        <DialogButtons
          action={t("shell.stepUp.action")}
          isBusy={false}
          onCancel={() => settle(false)}
        />
      </form>
    </Dialog>
  );
};
