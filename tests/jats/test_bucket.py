"""Articles from PMC's bucket: the right version, what PMC says first, files whole or not at all, polite and bounded."""

import json
import socket

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import ImportRefused, InvalidInput
from core.jats.bucket import Unavailable, Unreachable, fetch_article, find_article, list_versions, notes_on
from core.jats.bucket_article import date_of_citation, read_cloud_article
from core.jats.bucket_http import MAX_TRIES, BucketClient
from tests.jats.loopback_bucket import FakeTime, client_of, md5_of, running_bucket

XML = b"<article><body><p>A man.</p></body></article>"


@pytest.fixture
def bucket(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with running_bucket() as running:
        yield running


@pytest.fixture
def time() -> FakeTime:
    return FakeTime()


@pytest.fixture
def client(bucket, time):
    with client_of(bucket.address, time) as made:
        yield made


def fetched(client, tmp_path, pmcid="PMC12", **wishes):
    return fetch_article(client, find_article(client, pmcid, **wishes), tmp_path)


def names_in(folder) -> list[str]:
    return sorted(path.name for path in folder.rglob("*") if path.is_file())


# Which version


def test_versions_of_another_article_with_a_longer_number_are_not_ours(bucket, client) -> None:
    bucket.add("PMC123", 1, XML)
    bucket.add("PMC1", 7, XML)
    assert list_versions(client, "PMC12") == ()
    bucket.add("PMC12", 2, XML)
    assert list_versions(client, "PMC12") == (2,)
    assert bucket.asked[-1] == "list PMC12."


def test_versions_come_from_every_page_of_the_listing_in_order_of_their_numbers(bucket, client) -> None:
    bucket.page_size = 2
    for version in (1, 2, 3, 10, 11):
        bucket.add("PMC12", version, XML)
    assert list_versions(client, "PMC12") == (1, 2, 3, 10, 11)
    assert bucket.asked == ["list PMC12.", "list PMC12. 2", "list PMC12. 4"]


def test_the_highest_version_that_is_no_manuscript_is_taken(bucket, client) -> None:
    bucket.add("PMC12", 1, XML)
    bucket.add("PMC12", 2, XML)
    bucket.add("PMC12", 3, XML, is_manuscript=True)
    article = find_article(client, "PMC12")
    assert article.name == "PMC12.2"
    assert notes_on(article) == ("PMC holds versions 1, 2 and 3 of PMC12; this is version 2.",)


def test_a_manuscript_is_taken_when_there_is_nothing_else(bucket, client) -> None:
    bucket.add("PMC12", 1, XML, is_manuscript=True)
    bucket.add("PMC12", 2, XML, is_manuscript=True)
    article = find_article(client, "PMC12")
    assert article.version == 2
    assert "this is version 2, an author's manuscript" in notes_on(article)[0]


def test_a_version_can_be_asked_for(bucket, client) -> None:
    bucket.add("PMC12", 1, XML)
    bucket.add("PMC12", 4, XML)
    assert find_article(client, "PMC12", 1).version == 1
    with pytest.raises(ImportRefused, match="no version 2 of PMC12; there is versions 1 and 4"):
        find_article(client, "PMC12", 2)


def test_what_pmc_says_is_known_before_anything_else_is_fetched(bucket, client) -> None:
    bucket.add("PMC12", 1, XML, {"a.jpg": b"a"}, license_code="CC BY-NC", is_retracted=True)
    article = find_article(client, "PMC12")
    assert bucket.asked == ["list PMC12.", "PMC12.1/PMC12.1.json"]
    assert (article.metadata.license_code, article.published_on) == ("CC BY-NC", "2019-05-14")
    assert notes_on(article) == ("PMC12.1 is retracted.",)


@pytest.mark.parametrize(
    ("citation", "date"),
    [
        ("J Name. 2019 May 14;3(2):149", "2019-05-14"),
        ("J Name. 2019 May;3(2):149", "2019-05"),
        ("J Name. 2019;3(2):1999", "2019"),
        ("J Name. 2019 Feb 29", "2019-02"),
        ("J Name 12", ""),
        ("", ""),
    ],
)
def test_a_date_is_read_as_far_as_the_citation_states_it(citation, date) -> None:
    assert date_of_citation(citation) == date


# What cannot be had


def test_no_such_article_is_said_in_a_sentence(bucket, client) -> None:
    with pytest.raises(ImportRefused, match="holds no PMC999: there is no such article, or it is not open access"):
        find_article(client, "PMC999")


def test_metadata_that_vanished_are_no_article(bucket, client) -> None:
    bucket.add("PMC12", 1, XML)
    del bucket.objects["PMC12.1/PMC12.1.json"]
    with pytest.raises(ImportRefused, match=r"holds no PMC12\.1\.json"):
        find_article(client, "PMC12")


def test_an_article_outside_the_open_access_subset_is_refused_and_an_open_version_named(bucket, client) -> None:
    bucket.add("PMC12", 1, XML, is_pmc_openaccess=False, license_code="TDM")
    with pytest.raises(ImportRefused, match=r"PMC12\.1 is not open access \(licence TDM\)"):
        find_article(client, "PMC12")
    bucket.add("PMC12", 2, XML, is_manuscript=True)
    with pytest.raises(ImportRefused, match=r"PMC12\.2 is: fetch it under that name"):
        find_article(client, "PMC12")


def test_an_article_of_which_only_the_xml_may_be_passed_on_is_fetched_and_said_so(bucket, client, tmp_path) -> None:
    bucket.add("PMC12", 1, XML, pdf=False, license_code="CC BY-NC-ND")
    article = find_article(client, "PMC12")
    assert "only the XML of PMC12.1: its pictures must be attached by hand" in notes_on(article)[0]
    assert names_in(fetch_article(client, article, tmp_path).folder) == ["PMC12.1.json", "PMC12.1.xml"]


def test_an_article_without_pictures_is_not_taken_for_one_whose_pictures_are_withheld(bucket, client) -> None:
    bucket.add("PMC12", 1, XML)
    assert notes_on(find_article(client, "PMC12")) == ()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"{",
        b"\xff\xfe",
        b'{"pmcid": "PMC13", "version": 1, "license_code": "CC BY"}',
        b'{"pmcid": "PMC12", "version": 2, "license_code": "CC BY"}',
        b'{"pmcid": "PMC12", "version": 1, "license_code": "CC BY", "xml_url": null}',
        b'{"pmcid": "PMC12", "version": 1, "xml_url": "s3://b/PMC13.1/PMC13.1.xml"}',
        b"[" * 100_000,
        b'{"pmcid": "PMC12", "version": 1, "license_code": "CC BY", "xml_url": "s3://b/PMC12.1/x.xml", "a": "\\ud800"}',
    ],
)
def test_metadata_that_cannot_be_used_refuse_the_article(bucket, client, data) -> None:
    bucket.add("PMC12", 1, XML)
    bucket.objects["PMC12.1/PMC12.1.json"] = data
    with pytest.raises(ImportRefused, match=r"metadata of PMC12\.1 cannot be used"):
        find_article(client, "PMC12")


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
FIELDS = "pmcid version title citation license_code xml_url media_urls pdf_url is_retracted is_manuscript".split()


@given(
    changes=st.dictionaries(
        st.sampled_from(FIELDS),
        JSON_VALUES | st.sampled_from(["\u00b2", "9" * 5000, "s3://b/PMC12.1/\u0000", "PMC12\n", "2019 Feb 31"]),
    )
)
@settings(max_examples=150, deadline=None)
def test_whatever_the_metadata_hold_they_are_read_or_refused(changes) -> None:
    good = {
        "pmcid": "PMC12",
        "version": 1,
        "license_code": "CC BY",
        "xml_url": "s3://b/PMC12.1/PMC12.1.xml",
        "media_urls": ["s3://b/PMC12.1/a.jpg"],
    }
    data = json.dumps(good | changes).encode()
    try:
        article = read_cloud_article(data, "PMC12", 1, (1,))
    except ImportRefused as refusal:
        assert refusal.message.endswith(".")
    else:
        assert "\n" not in article.title
        assert all("/" not in file.name and not file.name.startswith(".") for file in article.pictures)
        json.dumps(notes_on(article), ensure_ascii=False).encode()


def test_a_title_is_one_line_without_control_characters(bucket, client) -> None:
    bucket.add("PMC12", 1, XML, title=" A\n title\x1b[31m of \u2028 a baker ")
    assert find_article(client, "PMC12").title == "A title[31m of a baker"


@pytest.mark.parametrize(
    "name", ["../../evil.jpg", "/etc/evil.jpg", ".hidden.jpg", "a\\evil.jpg", "sub/evil.jpg", "a\x00.jpg", ""]
)
def test_a_name_never_leads_out_of_the_articles_folder(bucket, client, tmp_path, name) -> None:
    bucket.add("PMC12", 1, XML, media_urls=[f"s3://b/PMC12.1/{name}?md5={'0' * 32}", 7, None])
    assert names_in(tmp_path) == []
    assert names_in(fetched(client, tmp_path).folder) == ["PMC12.1.json", "PMC12.1.xml"]
    assert names_in(tmp_path) == ["PMC12.1.json", "PMC12.1.xml"]


# Files whole or not at all


def test_xml_and_pictures_arrive_as_they_are_and_other_files_are_named(bucket, client, tmp_path) -> None:
    media = {"f1.jpg": b"one", "f 2 (b).tif": b"two", "s1.xlsx": b"table", "v.mp4": b"film"}
    bucket.add("PMC12", 1, XML, media)
    article = find_article(client, "PMC12")
    result = fetch_article(client, article, tmp_path)
    assert names_in(tmp_path / "PMC12.1") == ["PMC12.1.json", "PMC12.1.xml", "f 2 (b).tif", "f1.jpg"]
    assert (result.folder / "f 2 (b).tif").read_bytes() == b"two"
    assert (result.n_files, result.n_new, result.warnings) == (4, 4, ())
    assert result.size_bytes == sum(path.stat().st_size for path in result.folder.iterdir())
    assert notes_on(article) == ("2 further files were not fetched, since they are no pictures: s1.xlsx, v.mp4.",)


def test_what_is_there_with_the_right_checksum_is_not_fetched_again(bucket, client, tmp_path) -> None:
    bucket.add("PMC12", 1, XML, {"f1.jpg": b"one", "f2.jpg": b"two"})
    fetched(client, tmp_path)
    (tmp_path / "PMC12.1" / "f2.jpg").write_bytes(b"tw")
    bucket.asked.clear()
    result = fetched(client, tmp_path)
    assert bucket.asked == ["list PMC12.", "PMC12.1/PMC12.1.json", "PMC12.1/f2.jpg"]
    assert (result.folder / "f2.jpg").read_bytes() == b"two"
    assert (result.n_files, result.n_new) == (4, 2)


def test_what_pmc_has_replaced_is_fetched_anew(bucket, client, tmp_path) -> None:
    bucket.add("PMC12", 1, XML, {"f1.jpg": b"one"})
    fetched(client, tmp_path)
    bucket.add("PMC12", 1, XML + b"\n", {"f1.jpg": b"one"})
    bucket.asked.clear()
    fetched(client, tmp_path)
    assert bucket.asked_for(".jpg") == 0
    assert (tmp_path / "PMC12.1" / "PMC12.1.xml").read_bytes() == XML + b"\n"


def test_a_wrong_checksum_is_tried_again_and_then_refuses_without_a_trace(bucket, client, tmp_path) -> None:
    bucket.add("PMC12", 1, XML, {"f1.jpg": b"one"})
    bucket.faults["PMC12.1/f1.jpg"] = ["garbled"]
    assert (fetched(client, tmp_path).folder / "f1.jpg").read_bytes() == b"one"
    bucket.add("PMC13", 1, XML, {"f1.jpg": b"one"})
    bucket.faults["PMC13.1/f1.jpg"] = ["garbled"] * MAX_TRIES
    with pytest.raises(Unavailable, match="f1.jpg arrived 5 times with another checksum"):
        fetched(client, tmp_path, "PMC13")
    assert bucket.asked_for("PMC13.1/f1.jpg") == MAX_TRIES
    assert names_in(tmp_path / "PMC13.1") == ["PMC13.1.json"]


@pytest.mark.parametrize("fault", ["cut", "reset", 503, 500, 429])
def test_a_passing_fault_is_overcome(bucket, client, time, tmp_path, fault) -> None:
    bucket.add("PMC12", 1, XML, {"f1.jpg": b"one"})
    bucket.faults["PMC12."] = [fault]
    bucket.faults["PMC12.1/PMC12.1.json"] = [fault, fault]
    bucket.faults["PMC12.1/PMC12.1.xml"] = [fault]
    assert names_in(fetched(client, tmp_path).folder) == ["PMC12.1.json", "PMC12.1.xml", "f1.jpg"]
    assert time.slept == [1.0, 1.0, 2.0, 1.0]


def test_a_file_that_always_breaks_off_is_never_taken_for_whole(bucket, client, tmp_path) -> None:
    bucket.add("PMC12", 1, XML, {"f1.jpg": b"one"})
    bucket.faults["PMC12.1/PMC12.1.xml"] = ["cut"] * MAX_TRIES
    with pytest.raises(Unavailable, match=r"broke off before PMC12\.1\.xml was whole"):
        fetched(client, tmp_path)
    # The picture stays for the next time; without XML the folder is no article.
    assert names_in(tmp_path) == ["PMC12.1.json", "f1.jpg"]


def test_an_xml_that_pmc_has_replaced_does_not_outlive_a_fetch_that_fails(bucket, client, tmp_path) -> None:
    bucket.add("PMC12", 1, XML)
    fetched(client, tmp_path)
    bucket.add("PMC12", 1, XML + b"\n", {"f1.jpg": b"one"})
    bucket.faults["PMC12.1/f1.jpg"] = [503] * MAX_TRIES
    with pytest.raises(Unavailable):
        fetched(client, tmp_path)
    assert names_in(tmp_path) == ["PMC12.1.json"]


def test_a_picture_that_pmc_names_but_does_not_hold_is_a_warning(bucket, client, tmp_path) -> None:
    bucket.add("PMC12", 1, XML, {"f1.jpg": b"one"})
    del bucket.objects["PMC12.1/f1.jpg"]
    assert fetched(client, tmp_path).warnings == ("PMC names a file f1.jpg, but does not hold it.",)


def test_an_xml_that_pmc_does_not_hold_refuses_the_article(bucket, client, tmp_path) -> None:
    bucket.add("PMC12", 1, XML)
    del bucket.objects["PMC12.1/PMC12.1.xml"]
    with pytest.raises(ImportRefused, match=r"holds no PMC12\.1\.xml"):
        fetched(client, tmp_path)


def test_a_file_without_checksum_is_fetched_each_time_and_said_so(bucket, client, tmp_path) -> None:
    bucket.add("PMC12", 1, XML, {"f1.jpg": b"one"}, media_urls=["s3://b/PMC12.1/f1.jpg"])
    assert fetched(client, tmp_path).warnings == ("PMC states no checksum of f1.jpg: it could not be checked.",)
    fetched(client, tmp_path)
    assert bucket.asked_for("f1.jpg") == 2


def test_a_picture_that_is_too_large_is_left_out_and_said_so(bucket, client, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("core.jats.bucket.KEPT_LIMIT_BYTES", 1_000_000)
    bucket.add("PMC12", 1, XML, {"f1.jpg": b"o" * 1_500_000})
    result = fetched(client, tmp_path)
    assert result.warnings == ("f1.jpg has more than 1 MB. It was not fetched.",)
    assert names_in(result.folder) == ["PMC12.1.json", "PMC12.1.xml"]


def test_a_folder_that_cannot_be_written_is_said_in_a_sentence(bucket, client, tmp_path) -> None:
    bucket.add("PMC12", 1, XML)
    (tmp_path / "PMC12.1").write_bytes(b"a file in the way")
    with pytest.raises(ImportRefused, match=r"PMC12\.1 cannot be stored"):
        fetched(client, tmp_path)


# Polite and bounded


def test_requests_keep_the_pace_and_name_the_program(bucket, time, tmp_path) -> None:
    bucket.add("PMC12", 1, XML, {"f1.jpg": b"one"})
    with client_of(bucket.address, time, pause_s=0.34) as client:
        fetched(client, tmp_path)
    assert time.slept == pytest.approx([0.34] * 3)
    (agent,) = bucket.agents
    assert agent.startswith("CaseRounds/")


def test_several_clients_keep_the_pace_together(bucket, time) -> None:
    with client_of(bucket.address, time, pause_s=0.5) as one, client_of(bucket.address, time, pause_s=0.5) as other:
        for client in (one, other, one):
            list_versions(client, "PMC12")
    assert time.slept == [0.5, 0.5]


def test_a_busy_bucket_is_asked_a_bounded_number_of_times_with_growing_waits(bucket, client, time) -> None:
    bucket.faults["PMC12."] = [503] * 100
    with pytest.raises(Unavailable, match="too busy to give the list of versions of PMC12: it was asked 5 times"):
        list_versions(client, "PMC12")
    assert len(bucket.asked) == MAX_TRIES
    # min to full of 1, 2, 4, 8 seconds; the draw of this clock is always 1.
    assert time.slept == [1.0, 2.0, 4.0, 8.0]


@pytest.mark.parametrize("asked", ["\xb2", "soon", "-5", "Mon, 30 Nov 2026 12:00:00 GMT", "9" * 400])
def test_a_wait_that_makes_no_sense_is_replaced_by_our_own(bucket, client, time, asked) -> None:
    bucket.faults["PMC12."], bucket.retry_after = [429], asked
    list_versions(client, "PMC12")
    assert time.slept == [1.0]


def test_the_wait_that_the_bucket_asks_for_is_kept_up_to_a_minute(bucket, client, time) -> None:
    bucket.faults["PMC12."], bucket.retry_after = [429], "7"
    list_versions(client, "PMC12")
    bucket.faults["PMC12."], bucket.retry_after = [429], "86400"
    list_versions(client, "PMC12")
    assert time.slept == [8.0, 61.0]


def test_a_bucket_that_stays_silent_is_given_up(bucket, time) -> None:
    bucket.faults["PMC12."] = ["slow"] * MAX_TRIES
    with client_of(bucket.address, time, timeout_s=0.05) as client, pytest.raises(Unavailable, match="in time"):
        list_versions(client, "PMC12")
    assert len(bucket.asked) == MAX_TRIES


def test_an_absent_network_is_said_in_a_sentence(time, monkeypatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{closed.getsockname()[1]}"
    with client_of(address, time) as client, pytest.raises(Unreachable, match="there is no network") as refusal:
        list_versions(client, "PMC12")
    assert len(time.slept) == 2
    assert "try again" in refusal.value.next_step


@pytest.mark.parametrize("fault", ["403 AccessDenied", "404 NoSuchBucket", "301 PermanentRedirect", "400 Bad"])
def test_a_refusal_for_good_is_not_tried_again(bucket, client, fault) -> None:
    bucket.faults["PMC12."] = [fault]
    with pytest.raises(ImportRefused, match=f"HTTP {fault[:3]}, {fault[4:]}") as refusal:
        list_versions(client, "PMC12")
    assert len(bucket.asked) == 1
    assert "CASEROUNDS_PMC_BUCKET" in refusal.value.next_step


@pytest.mark.parametrize("page", [b"<html><body>Sign in</body></html>", b"", b"no XML at all", b"<a/>"])
def test_an_address_that_is_no_bucket_is_recognised(bucket, client, monkeypatch, page) -> None:
    monkeypatch.setattr(bucket, "page", lambda query: page)
    with pytest.raises(ImportRefused, match="does not answer as the PMC bucket does"):
        list_versions(client, "PMC12")


def test_a_listing_that_never_ends_is_left(bucket, client, monkeypatch) -> None:
    again = (
        b"<ListBucketResult><NextContinuationToken>x</NextContinuationToken><CommonPrefixes><Prefix>PMC12.1/"
        b"</Prefix></CommonPrefixes></ListBucketResult>"
    )
    monkeypatch.setattr(bucket, "page", lambda query: again)
    assert list_versions(client, "PMC12") == (1,)
    assert len(bucket.asked) == 2


def test_an_answer_that_is_far_too_long_is_not_read(bucket, client) -> None:
    bucket.add("PMC12", 1, XML)
    bucket.faults["PMC12.1/PMC12.1.json"] = ["huge"]
    with pytest.raises(ImportRefused, match=r"PMC12\.1\.json has more than 4 MB"):
        find_article(client, "PMC12")


@pytest.mark.parametrize("address", ["", "pmc", "ftp://host/x", "s3://pmc-oa-opendata", "http://", "http://["])
def test_an_address_that_is_none_is_refused_at_once(address) -> None:
    with pytest.raises(InvalidInput, match="no web address"):
        BucketClient(address)


def test_a_pause_below_zero_is_refused() -> None:
    with pytest.raises(InvalidInput, match="cannot be kept"):
        BucketClient("https://example.org", pause_s=-1)


def test_the_checksum_of_the_tests_is_that_of_the_metadata(bucket) -> None:
    bucket.add("PMC12", 1, XML)
    assert md5_of(XML) in json.loads(bucket.objects["PMC12.1/PMC12.1.json"])["xml_url"]
