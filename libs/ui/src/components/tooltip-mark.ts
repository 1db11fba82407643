/** The attribute with the tooltip of an element. */
export const tooltipMark = "data-tooltip";
