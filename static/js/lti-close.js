// [data-lti-close]: tells the LMS that its registration window can be closed.
(() => {
  "use strict";

  const close = () => {
    (window.opener || window.parent).postMessage({ subject: "org.imsglobal.lti.close" }, "*");
  };

  document.querySelectorAll("[data-lti-close]").forEach((button) => {
    button.addEventListener("click", close);
  });
})();
