// Text as it is sent, with stretches marked. All of it enters as text, so nothing in a case can become markup.
export default function (component) {
  const { data, parentElement } = component;
  const root = rootOf(parentElement, "marked-text");
  const stamp = JSON.stringify(data);
  if (root.dataset.stamp === stamp) return;
  root.dataset.stamp = stamp;
  root.replaceChildren();
  let at = 0;
  for (const mark of data.marks) {
    root.append(data.text.slice(at, mark.start));
    root.append(make("mark", { title: mark.title, "data-verdict": mark.verdict }, data.text.slice(mark.start, mark.end)));
    at = mark.end;
  }
  root.append(data.text.slice(at));
}
