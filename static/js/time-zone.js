// <select data-time-zone> starts with the time zone of the reader's own clock, if that is listed.
// A form that was refused keeps what the reader chose.
(() => {
  "use strict";

  const UNTOUCHED = "UTC";

  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const isListed = (select) => [...select.options].some((option) => option.value === zone);

  if (document.querySelector("[data-focus-errors]")) return;
  document.querySelectorAll("select[data-time-zone]").forEach((select) => {
    if (select.value === UNTOUCHED && isListed(select)) select.value = zone;
  });
})();
