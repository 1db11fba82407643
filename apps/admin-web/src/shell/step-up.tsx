import { lazy, Suspense, useSyncExternalStore } from "react";
import type { Access } from "../access/access.ts";
import { stepUpRequest } from "@latchkey/ui/api/step-up.ts";
import { Dialog } from "@latchkey/ui/components/dialog.tsx";
import { Skeleton } from "@latchkey/ui/components/skeleton.tsx";

/** Loaded when it is needed: its forms are a fifth of what the first page would load. */
const StepUpProof = lazy(async () => ({
  default: (await import("./step-up-proof.tsx")).StepUpProof,
}));

/** Asks for the proof that a refused operation requires. The operation is then repeated. */
export const StepUp = ({ access: { user } }: { access: Access }) => {
  const request = useSyncExternalStore(stepUpRequest.subscribe, stepUpRequest.read);
  if (!request) return null;
  const { requires, settle } = request;
  return (
    <Dialog
      title="Confirm your identity"
      description="This action requires a recent sign-in."
      isOpen
      onOpenChange={(isOpen) => !isOpen && settle(false)}
    >
      <Suspense fallback={<Skeleton className="h-32" />}>
        <StepUpProof requires={requires} email={user.email} settle={settle} />
      </Suspense>
    </Dialog>
  );
};
