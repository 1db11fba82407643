import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { nextPlace, previousPlace } from "@latchkey/ui/components/cursor-trail.ts";
import { Pagination } from "@latchkey/ui/components/pagination.tsx";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../../languages.ts";

const { listMembers } = operations.organization;
const pageSize = 25;
const firstPage = { cursor: undefined, trail: [] };

/** Reads a page of the members of an organization, or of one of its teams. The page before stays until it has arrived. */
export const useMemberPage = (organizationId: string, teamId?: string) => {
  const [searchValue, setSearchValue] = useState("");
  const [place, setPlace] = useState<ReturnType<typeof nextPlace>>(firstPage);
  const limit = String(pageSize);
  const { cursor } = place;
  const page = useQuery({
    ...operationQuery(listMembers, {
      query: {
        organizationId,
        limit,
        ...(teamId !== undefined && { filterField: "teamId", filterValue: teamId }),
        ...(searchValue && { searchValue }),
        ...(cursor && { cursor }),
      },
    }),
    placeholderData: keepPreviousData,
  });
  const { nextCursor } = page.data ?? {};
  const previous = previousPlace(place);
  return {
    page,
    searchValue,
    search: (text: string) => {
      setSearchValue(text.trim());
      setPlace(firstPage);
    },
    onPrevious: previous && (() => setPlace(previous)),
    onNext: nextCursor === undefined ? undefined : () => setPlace(nextPlace(place, nextCursor)),
  };
};

interface MemberPaginationProps extends Pick<
  ReturnType<typeof useMemberPage>,
  "onNext" | "onPrevious"
> {
  total: number;
}

/** The number of members, and the ways to other pages. */
export const MemberPagination = ({ total, onPrevious, onNext }: MemberPaginationProps) => {
  const t = useTranslation("organizations");
  return (
    <div className="flex flex-wrap items-center justify-between gap-2">
      <p role="status" className="text-muted">
        {t("teams.count", { count: total })}
      </p>
      {(onPrevious ?? onNext) && (
        <Pagination
          label={t("tabs.members")}
          texts={{
            pages: t("members.pages"),
            previous: t("members.previous"),
            next: t("members.next"),
          }}
          onPrevious={onPrevious}
          onNext={onNext}
        />
      )}
    </div>
  );
};
