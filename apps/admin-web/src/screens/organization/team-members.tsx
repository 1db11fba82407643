import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { UserMinus } from "lucide-react";
import { useState } from "react";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { faultsOf } from "../../api/faults-of.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { useOperation } from "../../api/use-operation.ts";
import { ErrorState } from "../../components/errors/error-state.tsx";
import { FormError } from "../../components/errors/form-error.tsx";
import { StaleNotice } from "../../components/errors/stale-notice.tsx";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Drawer } from "@latchkey/ui/components/drawer.tsx";
import { Field } from "@latchkey/ui/components/field.tsx";
import { IconButton } from "@latchkey/ui/components/icon-button.tsx";
import type { Choice } from "@latchkey/ui/components/select.tsx";
import { Skeleton } from "@latchkey/ui/components/skeleton.tsx";
import { CutNotice } from "./cut-notice.tsx";
import { MemberPicker } from "./member-picker.tsx";
import type { Member, Team } from "./use-organization.ts";

const { adminAddTeamMember, adminListOrganizationMembers, adminRemoveTeamMember } =
  operations.organization;

const shownMax = 100;

/** Puts a member of the organization into the team. */
const AddTeamMember = ({ team }: { team: Team }) => {
  const [member, setMember] = useState<Choice | null>(null);
  const [isTried, setIsTried] = useState(false);
  const add = useOperation(adminAddTeamMember, {
    showsError: true,
    done: `${member?.label ?? "The member"} is now in ${team.name}.`,
    onDone: () => {
      setMember(null);
      setIsTried(false);
    },
  });
  const faults = faultsOf(add.error, ["memberId"], { MEMBER_NOT_FOUND: "memberId" });
  const fault = isTried && !member ? "Choose a member." : faults.memberId;
  return (
    <form
      noValidate
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        setIsTried(true);
        if (member)
          add.mutate({
            params: { id: team.organizationId },
            body: { teamId: team.id, memberId: member.value },
          });
      }}
    >
      <div className="flex items-start gap-2">
        <Field
          className="min-w-0 flex-1"
          label="Add a member"
          description="A member is in one team at most, and leaves their present team."
          error={fault}
        >
          <MemberPicker
            organizationId={team.organizationId}
            value={member}
            onChange={(chosen) => {
              setMember(chosen);
              add.reset();
            }}
          />
        </Field>
        <span className="pt-6">
          <Button type="submit" isBusy={add.isPending}>
            Add
          </Button>
        </span>
      </div>
      {add.error && !faults.memberId && <FormError error={add.error} />}
    </form>
  );
};

const TeamMemberRow = ({ team, member }: { team: Team; member: Member }) => {
  const { email } = member.user;
  const remove = useOperation(adminRemoveTeamMember, {
    done: `${email} is no longer in ${team.name}.`,
  });
  return (
    <li className="flex min-h-11 items-center justify-between gap-3 border-b px-3 last:border-b-0">
      <Link
        to="/users/$userId"
        params={{ userId: member.userId }}
        className="min-w-0 truncate rounded font-medium hover:underline"
      >
        <bdi>{email}</bdi>
      </Link>
      <IconButton
        label={`Remove ${email} from the team`}
        disabled={remove.isPending}
        onClick={() =>
          remove.mutate({
            params: { id: team.organizationId },
            body: { teamId: team.id, memberId: member.id },
          })
        }
      >
        <UserMinus />
      </IconButton>
    </li>
  );
};

const TeamMemberList = ({ team }: { team: Team }) => {
  const reading = useQuery(
    operationQuery(adminListOrganizationMembers, {
      params: { id: team.organizationId },
      query: { teamId: team.id, limit: String(shownMax) },
    }),
  );
  const { data, error, refetch } = reading;
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton className="h-24 w-full" />;
  return (
    <>
      <StaleNotice reading={reading} />
      <CutNotice
        what="first members of the team"
        shown={data.members.length}
        count={data.total ?? data.members.length}
      />
      {data.members.length === 0 && <p className="text-muted">Nobody is in this team.</p>}
      {data.members.length > 0 && (
        <ul aria-label="Team members" className="rounded-md border">
          {data.members.map((member) => (
            <TeamMemberRow key={member.id} team={team} member={member} />
          ))}
        </ul>
      )}
    </>
  );
};

interface TeamMembersProps {
  team: Team;
  onClose: () => void;
}

/** Lists the members of a team, adds members of the organization, and takes them out. */
export const TeamMembers = ({ team, onClose }: TeamMembersProps) => (
  <Drawer title={`Members of ${team.name}`} isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
    <div className="flex flex-col gap-5">
      <AddTeamMember team={team} />
      <TeamMemberList team={team} />
    </div>
  </Drawer>
);
