import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { UserPlus } from "lucide-react";
import { useState } from "react";
import { useAccess } from "../../access/use-access.ts";
import { call } from "../../api/call.ts";
import { operations } from "../../api/contracts.ts";
import { DataTable } from "../../components/data-table/data-table.tsx";
import type { BulkAction } from "../../components/data-table/data-table-props.ts";
import { useTableSearch } from "../../components/data-table/use-table-search.ts";
import { Button } from "../../components/ui/button.tsx";
import { EmptyState } from "../../components/ui/empty-state.tsx";
import { Notice } from "../../components/ui/notice.tsx";
import { AddMember } from "./add-member.tsx";
import { changeableMemberColumns, memberColumns } from "./member-columns.tsx";
import { membersPage } from "./members-page.ts";
import type { OrganizationSearch } from "./organization-search.ts";
import { type Member, type Organization, organizationQuery } from "./use-organization.ts";
import { useRoleNames } from "./use-role-names.ts";

/** The most that come with an organization. */
const membersMax = 1000;

const rowId = ({ id }: Member) => id;

const remove: BulkAction<Member> = {
  label: "Remove",
  isDangerous: true,
  consequence:
    "They lose their roles and their teams here at once. Their users stay, and may be invited again.",
  run: ({ id, organizationId }) =>
    call(operations.organization.adminRemoveMember, {
      params: { id: organizationId },
      body: { memberId: id },
    }),
};

const AddMemberButton = ({ organization }: { organization: Organization }) => {
  const [isOpen, setIsOpen] = useState(false);
  const roleNames = useRoleNames(organization.members.map(({ role }) => role));
  return (
    <>
      <Button kind="primary" onClick={() => setIsOpen(true)}>
        <UserPlus />
        Add member
      </Button>
      {isOpen && (
        <AddMember
          organization={organization}
          roleNames={roleNames}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
};

interface MembersProps {
  organization: Organization;
  search: OrganizationSearch;
}

/** Who belongs to an organization, and as what. */
export const Members = ({ organization, search }: MembersProps) => {
  const state = useTableSearch(search);
  const navigate = useNavigate();
  const { may } = useAccess();
  const mayChange = may("organization:update");
  const page = useQuery({
    ...organizationQuery(organization.id),
    select: ({ members }) => membersPage(members, search),
  });
  return (
    <>
      {organization.members.length >= membersMax && (
        <div className="mb-3">
          <Notice>The first {membersMax} members are shown; there may be more.</Notice>
        </div>
      )}
      <DataTable<Member>
        name="members"
        noun={["member", "members"]}
        columns={mayChange ? changeableMemberColumns : memberColumns}
        page={page}
        state={state}
        rowId={rowId}
        rowLabel={({ user }) => user.email}
        onOpen={({ userId }) => void navigate({ to: "/users/$userId", params: { userId } })}
        searchLabel="Search members"
        bulkActions={mayChange ? [remove] : []}
        actions={mayChange && may("user:list") && <AddMemberButton organization={organization} />}
        empty={
          <EmptyState title="Nobody is a member">
            Add somebody who can invite the others, or delete the organization.
          </EmptyState>
        }
      />
    </>
  );
};
