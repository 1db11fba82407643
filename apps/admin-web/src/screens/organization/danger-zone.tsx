import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { Confirm } from "../../components/confirm.tsx";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Card } from "@latchkey/ui/components/card.tsx";
import { countText } from "./count-text.ts";
import type { Organization } from "./use-organization.ts";

/** The actions that cannot be undone. */
export const DangerZone = ({ organization }: { organization: Organization }) => {
  const [isAsked, setIsAsked] = useState(false);
  const navigate = useNavigate();
  const { id, name, slug, memberCount } = organization;
  return (
    <Card title="Danger zone" className="border-danger">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-xl text-muted">
          Deletes the organization with its memberships, invitations, and teams. Its users are kept.
        </p>
        <Button kind="danger" onClick={() => setIsAsked(true)}>
          Delete organization
        </Button>
      </div>
      {isAsked && (
        <Confirm
          operation={operations.organization.adminDeleteOrganization}
          input={{ params: { id } }}
          title={`Delete ${name}?`}
          action="Delete organization"
          typed={slug}
          done={`${name} deleted.`}
          onClose={() => setIsAsked(false)}
          onDone={() => navigate({ to: "/organizations", replace: true })}
        >
          The{" "}
          {memberCount === 1
            ? "membership of its member"
            : `memberships of its ${countText(memberCount)} members`}
          , its invitations, and its teams are permanently deleted. Its users are kept. This cannot
          be undone.
        </Confirm>
      )}
    </Card>
  );
};
