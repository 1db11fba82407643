import { ChevronLeft, ChevronRight } from "lucide-react";
import { Button } from "./button.tsx";

interface PaginationProps {
  /** What the pages are of, for screen readers. */
  label: string;
  /** Absent where there is no page that way. */
  onPrevious?: (() => void) | undefined;
  onNext?: (() => void) | undefined;
}

/**
 * To the next page of a list and back; pages have no numbers, since lists change while they are read. On the last page the button
 * that led there keeps the focus.
 */
export const Pagination = ({ label, onPrevious, onNext }: PaginationProps) => (
  <nav aria-label={`Pages of ${label}`} className="flex gap-2">
    <Button size="small" disabled={!onPrevious} focusableWhenDisabled onClick={onPrevious}>
      <ChevronLeft />
      Previous
    </Button>
    <Button size="small" disabled={!onNext} focusableWhenDisabled onClick={onNext}>
      Next
      <ChevronRight />
    </Button>
  </nav>
);
