import { lazy, Suspense, useSyncExternalStore } from "react";
import type { Access } from "../access/access.ts";
import { stepUpRequest } from "@latchkey/ui/api/step-up.ts";

/** Loaded when it is needed: its forms are a fifth of what the first page would load. */
const StepUpDialog = lazy(async () => ({
  default: (await import("./step-up-dialog.tsx")).StepUpDialog,
}));

/** Asks for the proof that a refused operation requires. The operation is then repeated. */
export const StepUp = ({ access: { user } }: { access: Access }) => {
  const request = useSyncExternalStore(stepUpRequest.subscribe, stepUpRequest.read);
  if (!request) return null;
  return (
    <Suspense fallback={null}>
      <StepUpDialog requires={request.requires} settle={request.settle} email={user.email} />
    </Suspense>
  );
};
