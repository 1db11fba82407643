import { ChevronLeft, ChevronRight } from "lucide-react";
import { Button } from "./button.tsx";

interface PaginationProps {
  /** Names the list for screen readers. */
  label: string;
  /** Undefined if there is no page in that direction. */
  onPrevious?: (() => void) | undefined;
  onNext?: (() => void) | undefined;
}

/**
 * Buttons to the next and the previous page. Pages have no numbers, because lists change while they are read. On the last page the
 * button that led there keeps the focus.
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
