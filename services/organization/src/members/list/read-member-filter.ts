import type { OperationInput, operations } from "@latchkey/contracts";
import { refuseQuery } from "@latchkey/service-kit";

export type MemberListQuery = OperationInput<typeof operations.organization.listMembers>["query"];

/** A condition on members. Times are compared as times, not as text. */
export interface MemberFilter {
  field: NonNullable<MemberListQuery["filterField"]>;
  operator: NonNullable<MemberListQuery["filterOperator"]>;
  value: string | Date;
}

/** ISO 8601 with a time zone, or a date. The year must be one that Postgres writes the same way. */
const isoTime = /^(?!0000)\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/;

const readTime = (value: string): Date => {
  const time = new Date(value);
  return isoTime.test(value) && !Number.isNaN(time.getTime())
    ? time
    : refuseQuery("filterValue", "must be a time in ISO 8601");
};

/** Reads the filter of a query. Returns undefined if the query lacks a field or a value. Throws `VALIDATION_ERROR`. */
export const readMemberFilter = ({
  filterField: field,
  filterOperator: operator = "eq",
  filterValue: value,
}: MemberListQuery): MemberFilter | undefined => {
  if (!field || !value) return undefined;
  if (field !== "createdAt") return { field, operator, value };
  if (operator === "contains") refuseQuery("filterOperator", "does not compare times");
  return { field, operator, value: readTime(value) };
};
