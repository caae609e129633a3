// RESULTS.md: show the claims with one verdict, or of one question.
(() => {
  const form = document.querySelector("form.verdicts");
  if (!form) return;
  const { word, topic } = form.elements;
  const words = [...word.options].map((o) => o.value).filter(Boolean)
    .sort((a, b) => b.length - a.length); // "True if" before "True"
  const claims = [];
  for (const section of document.querySelectorAll(".bd-article section")) {
    const heading = section.querySelector(":scope > h3")?.textContent ?? "";
    if (!/^C\d\d · /.test(heading)) continue;
    const said = section.querySelector("strong").textContent;
    claims.push({ section, said: words.find((w) => said.startsWith(w)) });
  }
  const parts = [...form.parentElement.querySelectorAll(":scope > section")];
  for (const part of parts) {
    if (!claims.some((claim) => part.contains(claim.section))) continue;
    const title = part.querySelector("h2").firstChild.textContent;
    topic.append(new Option(title, part.id));
  }

  function show() {
    const all = !word.value && !topic.value;
    let count = 0;
    for (const { section, said } of claims) {
      const inTopic = !topic.value || section.closest(`[id="${topic.value}"]`);
      section.hidden = !inTopic || (word.value && said !== word.value);
      count += !section.hidden;
    }
    const seen = (part) =>
      claims.some((c) => !c.section.hidden && part.contains(c.section));
    for (const part of parts) part.hidden = !all && !seen(part);
    form.querySelector("p").textContent = all ? `${claims.length} claims`
      : `${count} of ${claims.length} claims, below`;
  }
  form.addEventListener("change", show);
  form.addEventListener("submit", (event) => event.preventDefault());
  window.addEventListener("hashchange", () => {
    form.reset(); // a link may lead to what is hidden
    show();
    document.getElementById(location.hash.slice(1))?.scrollIntoView();
  });
  form.hidden = false;
  show();
})();
