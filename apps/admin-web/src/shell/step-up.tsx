import { useSyncExternalStore } from "react";
import type { Access } from "../access/access.ts";
import { stepUpRequest } from "@latchkey/ui/api/step-up.ts";
import { lazyDialog } from "@latchkey/ui/components/lazy-dialog.tsx";

/** Loaded when it is needed: its forms are a fifth of what the first page would load. */
const StepUpDialog = lazyDialog(async () => (await import("./step-up-dialog.tsx")).StepUpDialog);

/** Asks for the proof that a refused operation requires. The operation is then repeated. */
export const StepUp = ({ access: { user } }: { access: Access }) => {
  const request = useSyncExternalStore(stepUpRequest.subscribe, stepUpRequest.read);
  if (!request) return null;
  const { requires, settle } = request;
  return (
    <StepUpDialog
      {...{ requires, settle }}
      email={user.email}
      isOpen
      onOpenChange={(isOpen) => !isOpen && settle(false)}
    />
  );
};
