"""What every tracker must do, against a running server of its kind; each adapter runs all of it."""

from tests.contract.tracker.tracker_commenting import Commenting
from tests.contract.tracker.tracker_discussion import Discussing
from tests.contract.tracker.tracker_ours import Ours
from tests.contract.tracker.tracker_people import People
from tests.contract.tracker.tracker_reading import Reading
from tests.contract.tracker.tracker_sprints import Sprints
from tests.contract.tracker.tracker_trouble import InTrouble
from tests.contract.tracker.writer.changing import Changing
from tests.contract.tracker.writer.creating import Creating
from tests.contract.tracker.writer.files import Files
from tests.contract.tracker.writer.forms import Forms
from tests.contract.tracker.writer.moved import Moved
from tests.contract.tracker.writer.rights import Rights
from tests.contract.tracker.writer.service import Service
from tests.contract.tracker.writer.ties import Ties


class TicketReaderContract(Reading, Ours):
    """Tickets are read."""


class TicketWriterContract(Creating, Forms, Changing, Files, Ties, Service, Moved, Rights):
    """Tickets are written, also where a form, a service project, a move or a missing right is in the way."""


class TrackerContract(TicketReaderContract, TicketWriterContract, Commenting, Discussing, People, Sprints, InTrouble):
    """All promises of the tracker's ports; `People`, `Sprints` and `Commenting` are those of the ports of that name."""
