import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { operations } from "../../api/contracts.ts";
import { useOperation } from "../../api/use-operation.ts";
import { AlertDialog } from "../../components/ui/alert-dialog.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import type { Organization } from "./use-organization.ts";

/** What cannot be undone. */
export const DangerZone = ({ organization }: { organization: Organization }) => {
  const [isAsked, setIsAsked] = useState(false);
  const navigate = useNavigate();
  const { id, name, slug, members } = organization;
  const remove = useOperation(operations.organization.adminDeleteOrganization, {
    done: `${name} is deleted.`,
    onDone: () => navigate({ to: "/organizations", replace: true }),
  });
  return (
    <Card title="Danger zone" className="border-danger">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-xl text-muted">
          Deletes the organization with its memberships, invitations and teams. The users stay.
        </p>
        <Button kind="danger" onClick={() => setIsAsked(true)}>
          Delete organization
        </Button>
      </div>
      <AlertDialog
        title={`Delete ${name}?`}
        action="Delete organization"
        typed={slug}
        isOpen={isAsked}
        onOpenChange={setIsAsked}
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate({ params: { id } }, { onError: () => setIsAsked(false) })}
      >
        The{" "}
        {members.length === 1
          ? "membership of its member"
          : `memberships of its ${members.length} members`}
        , its invitations and its teams are deleted for good. The users themselves stay. This cannot
        be undone.
      </AlertDialog>
    </Card>
  );
};
